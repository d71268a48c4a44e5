import { type Saving, saveFile, saveText } from './save-file.ts';
import { useFailureToast } from './use-toasts.ts';

/** Returns `saveFile` and `saveText` for buttons: a person is told why the app refused, and it counts as cancelled. */
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
