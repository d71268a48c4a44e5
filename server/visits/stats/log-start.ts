/** The hour since which an account has had so many clicks, NULL where it has fewer. */
export const hourSql = `
  SELECT min(hour) AS hour FROM (
    SELECT hour FROM (
      SELECT hour, sum(clicks + @bots * bots) OVER (ORDER BY hour DESC) AS clicks FROM rollups
      WHERE scope = 1 AND scope_id = @user AND dimension = 0)
    WHERE clicks >= @needed LIMIT 1)`;

/** The first click of the log since an hour, found by halves: ids are given in the order of time. */
const isBefore = '(SELECT at FROM clicks WHERE id >= (low + high) / 2 ORDER BY id LIMIT 1) < @hour * 3600000';
export const firstSinceSql = `
  WITH RECURSIVE halves (low, high) AS (
    SELECT ifnull((SELECT min(id) FROM clicks), 1), ifnull((SELECT max(id) FROM clicks), 0) + 1
    UNION ALL
    SELECT iif(${isBefore}, (low + high) / 2 + 1, low), iif(${isBefore}, high, (low + high) / 2)
    FROM halves WHERE low < high)
  SELECT low AS first, ifnull((SELECT max(id) FROM clicks), 0) - low AS later FROM halves WHERE low >= high`;
