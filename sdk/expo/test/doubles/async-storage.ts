import { memoryStorage } from '../memory';

export default memoryStorage();
