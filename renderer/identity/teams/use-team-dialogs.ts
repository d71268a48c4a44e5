import { ref } from 'vue';

const isCreating = ref(false);
const isJoining = ref(false);

/** The dialogs that create and join a team, which the frame holds: they open from the switcher and from the palette. */
export function useTeamDialogs() {
  return { isCreating, isJoining };
}
