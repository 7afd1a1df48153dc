declare function withWaft(config: Record<string, unknown>, options: unknown): Record<string, unknown>;
export default withWaft;
