import { type AsyncComponentOptions, type Component, defineAsyncComponent } from 'vue';
import { sentencesReady } from './sentences.ts';

type Load<Loaded> = () => Promise<{ default: Loaded }>;

/** An async component that is rendered once its code and its translations for the current language are loaded. */
export function lazyComponent<Loaded extends Component>(
  load: Load<Loaded>,
  options: Omit<AsyncComponentOptions, 'loader'> = {},
): Loaded {
  const loader = async () => {
    const loaded = await load();
    await sentencesReady();
    return loaded.default;
  };
  return defineAsyncComponent({ ...options, loader } as AsyncComponentOptions) as Loaded;
}
