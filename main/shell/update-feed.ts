/** Put in when the app is built, from the variable WAYPOST_UPDATE_FEED of the build (electron.vite.config.ts). */
declare const builtUpdateFeed: string;

/** The address of this build's list of releases; undefined where there is none, and nothing is ever asked then. */
export const updateFeed = builtUpdateFeed === '' ? undefined : builtUpdateFeed;
