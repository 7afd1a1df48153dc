// Node's loader needs the file's name, which the types of the package do not have.
declare module "selenium-webdriver/remote/index.js" {
  export * from "selenium-webdriver/remote";
}
