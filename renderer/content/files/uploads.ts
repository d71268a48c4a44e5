import { useEventListener } from '@vueuse/core';
import { defineStore } from 'pinia';
import { useI18n } from 'vue-i18n';
import { uploadFile } from '../../../server/contract/files.ts';
import { useConnectionStore } from '../../api/connection.ts';
import { useInstanceStore } from '../../api/instance.ts';
import { upload } from '../../api/uploads.ts';
import { useReload } from '../../api/use-reload.ts';
import { uploadQueue } from './upload-queue.ts';

/** The upload queue; a store, so that uploads continue during navigation. */
export const useUploads = defineStore('uploads', () => {
  const instance = useInstanceStore();
  const reload = useReload();
  const { t } = useI18n();
  const queue = uploadQueue({
    sender() {
      const to = instance.destination;
      return (file, query, onProgress, signal) =>
        upload(uploadFile, { params: { filename: file.name }, query }, file, onProgress, signal, to);
    },
    scope: () => instance.scope,
    onDone: () => void reload('files'),
    unknown: () => t('ui.failure.unknown'),
  });
  useConnectionStore().onFound(queue.resume);
  // Closing the page would cancel uploads, so let the browser ask first.
  useEventListener(window, 'beforeunload', (event) => queue.isBusy.value && event.preventDefault());
  return queue;
});
