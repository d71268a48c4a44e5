import { useQueryCache } from '@pinia/colada';
import { useEventListener } from '@vueuse/core';
import { defineStore } from 'pinia';
import { useI18n } from 'vue-i18n';
import { useConnectionStore } from '../api/connection.ts';
import { instanceQueryKey } from '../api/instance.ts';
import { upload } from '../api/uploads.ts';
import { uploadQueue } from './upload-queue.ts';

/** The uploads of this page; they go on while one looks at something else. */
export const useUploads = defineStore('uploads', () => {
  const queries = useQueryCache();
  const { t } = useI18n();
  const queue = uploadQueue({
    send: upload,
    onDone: () => void queries.invalidateQueries({ key: instanceQueryKey(['files']) }),
    unknown: () => t('ui.failure.unknown'),
  });
  useConnectionStore().onFound(queue.resume);
  // Leaving would end them; the browser asks first.
  useEventListener(window, 'beforeunload', (event) => queue.isBusy.value && event.preventDefault());
  return queue;
});
