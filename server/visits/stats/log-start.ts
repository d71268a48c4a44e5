/** The hour since which an account has had so many clicks, NULL where it has fewer. */
export const hourSql = `
  SELECT min(hour) AS hour FROM (
    SELECT hour FROM (
      SELECT hour, sum(clicks + @bots * bots) OVER (ORDER BY hour DESC) AS clicks FROM rollups
      WHERE scope = 1 AND scope_id = @user AND dimension = 0)
    WHERE clicks >= @needed LIMIT 1)`;

const counted = '(SELECT position FROM rollup_position WHERE id = 1)';

/**
 * The id from which on the log has all clicks since an hour. It is in the order of arrival, and what an edge ships late
 * is older than what lies before it.
 */
export const firstSinceSql = `
  SELECT first, ifnull((SELECT max(id) FROM clicks), 0) - first AS later FROM (
    SELECT max(
      ifnull((SELECT min(id) FROM clicks), 1),
      ifnull((SELECT min(first) FROM click_hours WHERE hour >= @hour), ${counted} + 1)) AS first)`;

/** The id up to which the log has all clicks before a moment. */
export const lastBeforeSql = `
  SELECT max(
    ifnull((SELECT max(last) FROM click_hours WHERE hour * 3600000 < @to), 0),
    ifnull((SELECT max(id) FROM clicks WHERE id > ${counted} AND at < @to), 0)) AS last`;

/** The earliest hour of any click of the log since an id. */
export const earliestHourSql = (id: string): string =>
  `(SELECT min(hour) FROM click_hours WHERE last >= ${id})`;
