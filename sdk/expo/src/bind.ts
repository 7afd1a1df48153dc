/** Binds functions to their object, so that an app can pass them on, as in `.catch(waft.health.captureException)`. */
export function bind<T extends object>(object: T, names: (keyof T)[]): void {
  for (const name of names) {
    object[name] = (object[name] as (...given: unknown[]) => unknown).bind(object) as T[typeof name];
  }
}
