import { type AsyncComponentOptions, type Component, defineAsyncComponent } from 'vue';
import { retriedImport } from './retried-import.ts';
import { sentencesReady } from './sentences.ts';

type Load<Loaded> = () => Promise<{ default: Loaded }>;

/**
 * An async component that is rendered once its code and its translations for the current language are loaded. If that
 * fails, it is tried again when the component is next shown.
 */
export function lazyComponent<Loaded extends Component>(
  load: Load<Loaded>,
  options: Omit<AsyncComponentOptions, 'loader'> = {},
): Loaded {
  const fetched = retriedImport(load);
  const loader = async () => {
    const loaded = await fetched();
    await sentencesReady();
    return loaded.default;
  };
  return defineAsyncComponent({ ...options, loader } as AsyncComponentOptions) as Loaded;
}
