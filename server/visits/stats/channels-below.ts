/**
 * SQL of the ids of the channel `@channel` of the account `@user` and of those below it: `print/2027` is below `print`.
 * They stand together in the index of names, between the name with a slash and what follows that in Unicode, `0`.
 */
export const channelsBelow = `
  SELECT id FROM channels WHERE id = @channel AND user_id = @user AND leaving = 0
  UNION ALL
  SELECT below.id FROM channels AS top
  CROSS JOIN channels AS below ON below.user_id = top.user_id AND below.leaving = 0
    AND below.name_folded > top.name_folded || '/' AND below.name_folded < top.name_folded || '0'
  WHERE top.id = @channel AND top.user_id = @user AND top.leaving = 0`;
