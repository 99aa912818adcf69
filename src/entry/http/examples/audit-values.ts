/** Values of the audit log: a person let a connected program spend more. */
const ENTRY = {
  act: 'program_cap_changed',
  act_name: 'Daily cap of a program changed',
  after: { daily_credits: 100 },
  at: '2026-11-17T09:41:07.215Z',
  before: { daily_credits: 50 },
  content_hash: '0b7f3c1e95d24a68b1c0e7f2a3d4958617a8b9c0d1e2f30415263748596a7b8c',
  content_salt: '7c1f0e5b93a24d6882b1c3d4e5f60718',
  details: { connection: 'con_5Hj8Kl1Zx4Cv7Bn2Mq5Ws8Ed' },
  hash: 'e41d9a0c5b7f3e21486a9d0b7c5f1e3a28d4b6907c1e5f3a9b2d8c4e6f0a1b73',
  id: null,
  ip: '198.51.100.24',
  kind: 'person',
  mode: 'live',
  name: 'ann@harbourlantern.co.uk',
  origin_hash: '93c5f1e7a2b4d6088c1e3f5a7b9d0c2e4f6a8b1d3c5e7f902b4d6a8c0e1f3b57',
  origin_salt: '2a9d4c7e1f3b5d6890a1b2c3d4e5f607',
  outcome: 'success',
  previous_hash: '71f3a5c9e0b2d4868a1c3e5f7092b4d6f8a0c1e3b5d7f9284a6c8e0f1b3d5a79',
  user_agent: 'Firefox 132 on Windows',
}

const named = (owner: string) => Object.entries(ENTRY).map(([name, value]) => [`${owner}.${name}`, value])

export const AUDIT_VALUES: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(named('AuditEntry')),
  'listAuditEntries.act': ENTRY.act,
  'listAuditEntries.actor': ENTRY.kind,
  'listAuditEntries.cursor': 1_205,
  'exportAuditLog.act': ENTRY.act,
  'exportAuditLog.actor': ENTRY.kind,
}
