-- Where an edge was last reached by visitors, as JSON: what the DNS of domains may say, also while the edge is away.
ALTER TABLE fleet_edges ADD COLUMN addresses TEXT NOT NULL DEFAULT '[]';
