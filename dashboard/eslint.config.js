import hooks from "eslint-plugin-react-hooks";
import { defineConfig } from "eslint/config";
import ts from "typescript-eslint";

export default defineConfig(
  { ignores: ["dist", "src/api/schema.d.ts", "test-results"] },
  ...ts.configs.strict,
  ...ts.configs.stylistic,
  hooks.configs.flat["recommended-latest"],
  // Playwright's fixtures are given by a function named use.
  { files: ["tests/**", "bench/**"], rules: { "react-hooks/rules-of-hooks": "off" } },
  // Files of tests share their modules, so a replaced one would reach the tests of other files.
  {
    files: ["src/**/*.test.ts", "src/**/*.test.tsx"],
    ignores: ["src/**/*.mocked.test.tsx"],
    rules: { "no-restricted-properties": ["error", { object: "vi", property: "mock", message: "Name the file .mocked.test.tsx, so that it has its own modules." }] },
  },
  {
    rules: {
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/consistent-type-definitions": "off",
      "@typescript-eslint/no-empty-function": "off",
      "@typescript-eslint/no-invalid-void-type": "off",
      // Virtual's rows are measured outside of React.
      "react-hooks/incompatible-library": "off",
      "@typescript-eslint/no-dynamic-delete": "off",
      "no-restricted-syntax": [
        "error",
        { selector: "JSXText[value=/[A-Za-z]{2}/]", message: "Text goes into the strings.ts of the page's folder." },
        { selector: "CallExpression[callee.name='useParams'] Property[key.name='strict']", message: "The page's route types its parameters: useParams({ from: … })." },
        { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: "Markup is not made from text." },
      ],
    },
  },
);
