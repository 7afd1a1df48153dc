/**
 * The Expo config plugin. It writes what expo-updates needs to get its updates from Waft: `updates.url`, the request header that names the
 * channel, and the runtime version, which is the app's `version` unless `runtimeVersion` is set. `updates.enabled`,
 * `updates.checkAutomatically` and `updates.fallbackToCacheTimeout` are `true`, `ON_LOAD` and `0` milliseconds unless the app sets them. The
 * plugin does not change further settings of `updates`, such as the certificate of a project that signs.
 *
 * An `app.json` names the plugin in `plugins`. An `app.config.ts` can import it as `withWaft` from `@waft/expo/app.plugin`. `npx expo config
 * --type introspect` shows the settings in the native projects. These settings are part of the binary: build the app again after a change.
 *
 * A wrong or unknown setting is an error. Packages that do not fit the app's Expo SDK are warnings.
 *
 * @param config - the app config
 * @param options - the settings of the plugin
 * @returns the app config with the settings of updates
 */
declare function withWaft<Config extends object>(config: Config, options: withWaft.WaftPluginOptions): Config;

declare namespace withWaft {
  /** Settings of the config plugin. */
  interface WaftPluginOptions {
    /** Address of the server as devices reach it, such as `https://ota.example.com`, with https for a release build. */
    url: string;
    /** Slug of the project. */
    project: string;
    /**
     * Name of the channel.
     *
     * @defaultValue `'production'`
     */
    channel?: string;
    /**
     * Whether release builds of Gradle and Xcode upload their bundle and source map, if WAFT_API_KEY is set and the CLI `waft` is found.
     *
     * @defaultValue `true`
     */
    uploadSourceMaps?: boolean;
  }
}

export = withWaft;
