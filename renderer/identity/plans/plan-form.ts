import type { PlanShown } from '../../../server/contract/plans.ts';

export type PlanFields = Omit<PlanShown, 'id' | 'users' | 'limits'> & {
  limits: Required<PlanShown['limits']>;
};

export const permissionNames = ['alias', 'password', 'qrlogo', 'qrframes', 'utmtemplates'] as const;
export const limitNames = ['links', 'clicks', 'retention', 'files', 'megabytes'] as const;
/** Features with a numeric limit. */
export const countedFeatures = ['bio', 'domain', 'splash', 'overlay', 'pixels', 'team'] as const;
export const plainFeatures = ['geo', 'device', 'export', 'api'] as const;
export const featureNames = [...countedFeatures, ...plainFeatures] as const;

/** The form state of a new plan: everything, without limits. */
export function emptyPlan(): PlanFields {
  const counted = () => ({ enabled: true, count: -1 });
  const plain = () => ({ enabled: true });
  return {
    name: '',
    free: false,
    permissions: { alias: true, password: true, qrlogo: true, qrframes: true, utmtemplates: true },
    limits: { links: -1, clicks: -1, retention: -1, files: -1, megabytes: -1 },
    features: {
      bio: counted(),
      domain: counted(),
      splash: counted(),
      overlay: counted(),
      pixels: counted(),
      geo: plain(),
      device: plain(),
      export: plain(),
      api: plain(),
      team: counted(),
    },
  };
}

/** The form state of a plan, as a copy. */
export function fieldsOfPlan({ name, free, permissions, limits, features }: PlanShown): PlanFields {
  // Servers without a storage limit do not send this field.
  return structuredClone({ name, free, permissions, limits: { megabytes: -1, ...limits }, features });
}
