import pg from 'pg'
import { openConnection } from './connection.ts'

const SCHEMAS = 'public, pgboss'
/** Rows are only ever added to these; what may be forgotten in them goes through functions of the owner's. */
const ONLY_ADDED = 'ledger_entry, audit_event, audit_anchored, review_decision'
/** The trigger of the audit log alone makes its chain. */
const CHAIN_FUNCTIONS = 'append_to_audit_chain, chain_audit_event'

/**
 * Lets the role of `servingUrl` read and write rows and nothing more: it can neither change nor empty tables, nor turn
 * triggers off. A role that does not exist is made. Safe to run again. False where one role both migrates and serves.
 */
export async function grantServing(urls: { ownerUrl: string; servingUrl: string }): Promise<boolean> {
  const { username, password } = new URL(urls.servingUrl)
  const [name, secret] = [decodeURIComponent(username), decodeURIComponent(password)]
  if (name === '' || name === decodeURIComponent(new URL(urls.ownerUrl).username)) return false
  const client = await openConnection(urls.ownerUrl, { application_name: 'nameplated migrate' })
  try {
    const role = pg.escapeIdentifier(name)
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [name])
    if (rowCount === 0) await client.query(`create role ${role} login password ${pg.escapeLiteral(secret)}`)
    await client.query('begin')
    for (const statement of statementsFor(role)) await client.query(statement)
    await client.query('commit')
    return true
  } finally {
    await client.end()
  }
}

function statementsFor(role: string): string[] {
  return [
    `grant usage on schema ${SCHEMAS} to ${role}`,
    `revoke create on schema ${SCHEMAS} from ${role}`,
    `grant select, insert, update, delete on all tables in schema ${SCHEMAS} to ${role}`,
    `grant usage, select on all sequences in schema ${SCHEMAS} to ${role}`,
    `grant execute on all functions in schema ${SCHEMAS} to ${role}`,
    `revoke update, delete on ${ONLY_ADDED} from ${role}`,
    `revoke insert, update, delete on audit_chain, schema_migration from ${role}`,
    `revoke execute on function ${CHAIN_FUNCTIONS} from ${role}`,
    // The register and its search are built in new tables that take the place of the old ones.
    `alter default privileges in schema ${SCHEMAS} grant select, insert, update, delete on tables to ${role}`,
    `alter default privileges in schema ${SCHEMAS} grant usage, select on sequences to ${role}`,
    `alter default privileges in schema ${SCHEMAS} grant execute on functions to ${role}`,
  ]
}
