/** Every act that the audit log records, with its name for people. */
export const ACTS = {
  signup: 'Signed up',
  email_verified: 'E-mail address verified',
  login: 'Signed in',
  signed_out: 'Signed out',
  sessions_ended: 'All sessions ended',
  program_connected: 'Program connected',
  program_refused: 'Program refused',
  program_disconnected: 'Program disconnected',
  program_token_ended: 'Token of a program ended',
  program_cap_changed: 'Daily cap of a program changed',
  password_reset_requested: 'Password reset requested',
  password_reset: 'Password reset',
  password_changed: 'Password changed',
  password_confirmed: 'Password confirmed',
  api_key_shown: 'API key shown',
  api_key_rotated: 'API key replaced',
  api_key_ended: 'API key ended',
  plan_changed: 'Plan changed',
  credits_granted: 'Credits granted',
  account_created: 'Account created',
  account_disabled: 'Account disabled',
  account_enabled: 'Account enabled',
  account_erased: 'Account erased',
  account_exported: 'All data of the account exported',
  second_reader_changed: 'Second reader changed',
  digest_changed: 'Daily digest changed',
  webhook_created: 'Webhook destination added',
  webhook_deleted: 'Webhook destination deleted',
  webhook_enabled: 'Webhook destination enabled',
  webhook_disabled: 'Webhook destination disabled',
  webhook_secret_rotated: 'Webhook secret replaced',
  webhook_replayed: 'Webhook events sent again',
  webhook_tested: 'Webhook destination tested',
  listener_opened: 'Webhook listener opened',
  listener_closed: 'Webhook listener closed',
  decision_made: 'Decision made',
  decision_withdrawn: 'Decision withdrawn',
  match_disputed: 'Match disputed',
  refund_approved: 'Refund approved',
  refund_refused: 'Refund refused',
  evidence_sealed: 'Evidence record made',
  document_exported: 'Evidence document downloaded',
  pages_exported: 'Kept pages of an answer downloaded',
  share_link_made: 'Share link made',
  share_link_revoked: 'Share link revoked',
  bulk_created: 'Bulk job started',
  bulk_cancelled: 'Bulk job cancelled',
  bulk_resumed: 'Bulk job resumed',
  bulk_exported: 'Results of a bulk job downloaded',
  audit_exported: 'Audit log downloaded',
  watchlist_replaced: 'Watchlist replaced',
  watchlist_extended: 'Companies added to the watchlist',
  watchlist_made: 'List of companies made',
  watchlist_changed: 'List of companies changed',
  watchlist_deleted: 'List of companies deleted',
  watchlist_exported: 'List of companies downloaded',
  list_emails_changed: 'E-mails of a list changed',
  signals_exported: 'Signals downloaded',
  calendar_made: 'Calendar address made',
  calendar_ended: 'Calendar address ended',
} as const

export type Act = keyof typeof ACTS
export const ACT_NAMES = Object.keys(ACTS) as [Act, ...Act[]]

const FAILED: Partial<Record<Act, string>> = {
  login: 'Sign-in failed',
  password_confirmed: 'Wrong password when asked for it',
  password_changed: 'Wrong password at a change of password',
}

/** Returns the name of an act for people. An act of an older or newer release may be unknown here. */
export function nameAct(act: string, outcome: string): string {
  const name = ACTS[act as Act] ?? act.replaceAll('_', ' ')
  return outcome === 'failure' ? (FAILED[act as Act] ?? `${name}: refused`) : name
}
