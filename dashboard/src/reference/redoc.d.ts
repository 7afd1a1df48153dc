// Redoc has types for its library, but not for the bundle that contains React and everything else it needs.
declare module "redoc/bundles/redoc.standalone.js" {
  export function init(definition: object, options: object, root: HTMLElement): void;
}
