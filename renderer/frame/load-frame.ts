/** Fetches what is around the pages of who is signed in. */
export const loadFrame = () => import('./AppFrame.vue');
