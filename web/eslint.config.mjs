// Strict, type-aware rules for the page's sources and tests.

import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["node_modules/", "dist/", "src/wire.gen.ts", "*.mjs"] },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // Numbers read well inside sentences.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // `() => void doIt()` is how a handler says that it waits for nothing.
      "@typescript-eslint/no-confusing-void-expression": [
        "error",
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      eqeqeq: "error",
      "no-console": "error",
    },
  },
  {
    // Texts come from src/language, in every language.
    files: ["src/ui/**"],
    rules: {
      "no-restricted-syntax": [
        "error",
        { selector: "JSXText[value=/^(?!\\s*(?:Farhand|PNG|CSV)\\s*$)[^]*\\p{L}{2}/u]", message: "Take the text from src/language." },
        {
          selector: "JSXAttribute[name.name=/^(title|placeholder|aria-label|label)$/] > Literal[value=/\\p{L}{2}/u]",
          message: "Take the text from src/language.",
        },
      ],
    },
  },
  {
    files: ["tests/**"],
    rules: {
      // node:test's describe and test return promises that its runner awaits.
      "@typescript-eslint/no-floating-promises": "off",
    },
  },
);
