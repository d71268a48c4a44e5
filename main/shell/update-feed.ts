/** Defined at build time from the environment variable WAYPOST_UPDATE_FEED (electron.vite.config.ts). */
declare const builtUpdateFeed: string;

/** The URL of this build's release feed; if undefined, the app never checks for updates. */
export const updateFeed = builtUpdateFeed === '' ? undefined : builtUpdateFeed;
