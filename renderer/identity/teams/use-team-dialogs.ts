import { ref } from 'vue';

const isCreating = ref(false);
const isJoining = ref(false);

/** The dialogs for creating and joining a team, rendered by the frame and opened from the switcher and the palette. */
export function useTeamDialogs() {
  return { isCreating, isJoining };
}
