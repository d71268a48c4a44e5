-- Whoever leaves a team, or is removed, does not come back by an invitation that was open by then.
CREATE TABLE invitation_bars (
  invitation_id INTEGER NOT NULL REFERENCES team_invitations (id) ON DELETE CASCADE,
  person_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (invitation_id, person_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX invitation_bars_by_person ON invitation_bars (person_id);
