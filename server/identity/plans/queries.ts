import type { Connection } from '../../platform/database/connect.ts';
import type { Plan } from '../../platform/http/caller.ts';
import { storedObject } from '../../platform/text/stored-json.ts';

/** What can be set on a plan. */
export type NewPlan = Omit<Plan, 'id' | 'version'>;

/** What a new plan allows. */
export const unlimited: Omit<NewPlan, 'name'> = {
  free: false,
  permissions: { alias: true, password: true, qrlogo: true, qrframes: true, utmtemplates: true },
  limits: { links: -1, clicks: -1, retention: -1, files: -1, megabytes: -1 },
  features: {
    bio: { enabled: true, count: -1 },
    domain: { enabled: true, count: -1 },
    splash: { enabled: true, count: -1 },
    overlay: { enabled: true, count: -1 },
    pixels: { enabled: true, count: -1 },
    geo: { enabled: true },
    device: { enabled: true },
    export: { enabled: true },
    api: { enabled: true },
    team: { enabled: true, count: -1 },
  },
};

interface PlanRow {
  id: number;
  name: string;
  free: 0 | 1;
  permissions: string;
  limits: string;
  features: string;
  version: number;
}

/** SQL of plans. */
export function planQueries(database: Connection) {
  const byId = database.prepare<[number], PlanRow>('SELECT * FROM plans WHERE id = ?');
  const free = database.prepare<[], PlanRow>('SELECT * FROM plans WHERE free = 1 ORDER BY id LIMIT 1');
  const all = database.prepare<[], PlanRow>('SELECT * FROM plans ORDER BY id');
  const insert = database.prepare<[Omit<PlanRow, 'id' | 'version'>]>(
    `INSERT INTO plans (name, free, permissions, limits, features)
     VALUES (@name, @free, @permissions, @limits, @features)`,
  );
  const update = database.prepare<[Omit<PlanRow, 'version'>]>(
    `UPDATE plans SET name = @name, free = @free, permissions = @permissions, limits = @limits,
       features = @features WHERE id = @id`,
  );
  const remove = database.prepare<[number]>('DELETE FROM plans WHERE id = ?');
  const users = database.prepare<[number], { total: number }>(
    'SELECT count(*) AS total FROM users WHERE plan_id = ?',
  );
  return {
    find: (id: number): Plan | undefined => toPlan(byId.get(id)),
    findFree: (): Plan | undefined => toPlan(free.get()),
    all: (): Plan[] => all.all().map((row) => toPlan(row) as Plan),
    insert: (plan: NewPlan): number => Number(insert.run(toRow(plan)).lastInsertRowid),
    update: (plan: NewPlan & { id: number }) => void update.run({ id: plan.id, ...toRow(plan) }),
    remove: (id: number) => void remove.run(id),
    countUsers: (id: number): number => users.get(id)?.total ?? 0,
  };
}

export type PlanQueries = ReturnType<typeof planQueries>;

function toPlan(row: PlanRow | undefined): Plan | undefined {
  if (!row) return undefined;
  // What is damaged is unlimited: otherwise nobody of the plan could sign in.
  return {
    id: row.id,
    version: row.version,
    name: row.name,
    free: row.free === 1,
    permissions: storedObject(row.permissions) ?? unlimited.permissions,
    // Plans from before there was a limit of bytes were stored without one.
    limits: { ...unlimited.limits, ...storedObject<Partial<Plan['limits']>>(row.limits) },
    features: storedObject(row.features) ?? unlimited.features,
  };
}

function toRow(plan: NewPlan): Omit<PlanRow, 'id' | 'version'> {
  return {
    name: plan.name,
    free: plan.free ? 1 : 0,
    permissions: JSON.stringify(plan.permissions),
    limits: JSON.stringify(plan.limits),
    features: JSON.stringify(plan.features),
  };
}
