import { type AsyncComponentOptions, type Component, defineAsyncComponent } from 'vue';
import { sentencesReady } from './sentences.ts';

type Load<Loaded> = () => Promise<{ default: Loaded }>;

/**
 * A component that is fetched when it is first shown, and shown when its sentences are there in the page's language.
 */
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
