/** The Expo config plugin. It adds the settings to the app config that expo-updates needs to get its updates from Waft. */
declare function withWaft<Config extends object>(config: Config, options: withWaft.WaftPluginOptions): Config;

declare namespace withWaft {
  /** Settings of the config plugin. */
  interface WaftPluginOptions {
    /** Address of the server as devices reach it, such as `https://ota.example.com`. */
    url: string;
    /** Slug of the project. */
    project: string;
    /** The channel. Defaults to `production`. */
    channel?: string;
    /**
     * Whether release builds of Gradle and Xcode upload their bundle and source map, if WAFT_API_KEY is set and the CLI `waft` is found.
     * Defaults to true.
     */
    uploadSourceMaps?: boolean;
  }
}

export = withWaft;
