/** Fetches what is around the pages of anyone who is signed in. */
export const loadFrame = () => import('./AppFrame.vue');
