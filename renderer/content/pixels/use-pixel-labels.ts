import { useI18n } from 'vue-i18n';
import { isKnownType } from './pixel-vendors.ts';

/** Names of services as people know them; a type of another server keeps its own word. */
export function usePixelLabels() {
  const { t } = useI18n();
  return {
    nameOf: (type: string) => (isKnownType(type) ? t(`pixels.vendors.${type}.name`) : type),
    /** Where the service shows its id; '' for types that we do not know. */
    whereOf: (type: string) => (isKnownType(type) ? t(`pixels.vendors.${type}.where`) : ''),
  };
}
