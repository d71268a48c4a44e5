import { type Saving, saveFile, saveText } from './save-file.ts';
import { useFailureToast } from './use-toasts.ts';

/** Returns `saveFile` and `saveText` for buttons: failures are shown as a toast and count as cancelled. */
export function useFileSaving(): { saveFile: typeof saveFile; saveText: typeof saveText } {
  const showFailure = useFailureToast();

  async function told(save: () => Promise<Saving>): Promise<Saving> {
    try {
      return await save();
    } catch (error) {
      showFailure(error);
      return 'cancelled';
    }
  }

  return {
    saveFile: (content, fileName) => told(() => saveFile(content, fileName)),
    saveText: (text, type, fileName) => told(() => saveText(text, type, fileName)),
  };
}
