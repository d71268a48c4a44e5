/** Loads the frame around the pages of signed-in users. */
export const loadFrame = () => import('./AppFrame.vue');
