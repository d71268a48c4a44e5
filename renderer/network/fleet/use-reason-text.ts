import { useI18n } from 'vue-i18n';
import { engineReasons, type FleetEdge, type ShownFleet } from '../../../server/contract/fleet.ts';
import { ApiFailure } from '../../api/failure.ts';

/** Describes problems of the fleet in the current language; by the server's own message if it gives no reason code. */
export function useReasonText() {
  const { t } = useI18n();
  return {
    ofEngine: ({ detail, problem, reason }: Pick<ShownFleet, 'detail' | 'problem' | 'reason'>): string =>
      (reason && t(`fleet.reasons.${reason}`, { detail: detail ?? '' })) ?? problem ?? '',
    ofEdge: ({ detail, problem, reason }: Pick<FleetEdge, 'detail' | 'problem' | 'reason'>): string =>
      (reason && t(`fleet.edges.reasons.${reason}`, { detail: detail ?? '' })) ?? problem ?? '',
    /** The same failure with a translated message for the same field. */
    ofFailure(error: unknown): unknown {
      if (!(error instanceof ApiFailure)) return error;
      const reason = engineReasons.find((each) => each === error.data?.reason);
      if (!reason) return error;
      const { code, data, field, status } = error;
      const detail = String(data?.detail ?? '');
      const text = t(`fleet.reasons.${reason}`, { detail });
      return new ApiFailure(error.kind, text, {
        status,
        code,
        ...(field !== undefined && { field }),
        ...(data && { data }),
      });
    },
  };
}
