import { useI18n } from 'vue-i18n';
import { isKnownType } from './pixel-vendors.ts';

/** Display names of services; types of other servers keep their API name. */
export function usePixelLabels() {
  const { t } = useI18n();
  return {
    nameOf: (type: string) => (isKnownType(type) ? t(`pixels.vendors.${type}.name`) : type),
    /** Where the service displays its id; '' for unknown types. */
    whereOf: (type: string) => (isKnownType(type) ? t(`pixels.vendors.${type}.where`) : ''),
  };
}
