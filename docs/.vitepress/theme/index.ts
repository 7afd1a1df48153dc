import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import RolloutDecision from './RolloutDecision.vue';
import './style.css';

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('RolloutDecision', RolloutDecision);
  },
} satisfies Theme;
