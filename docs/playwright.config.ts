import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'tests',
  outputDir: '../build/site-tests',
  fullyParallel: true,
  forbidOnly: true,
  workers: 2,
});
