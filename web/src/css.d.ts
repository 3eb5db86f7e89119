/** A style sheet that the bundler collects into the page's one CSS file. */
declare module "*.css";
