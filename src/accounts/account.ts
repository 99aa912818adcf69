import type { Db } from '../lib/db.ts'
import type { PlanName } from './plans.ts'

export interface Account {
  id: string
  email: string
  verifiedAt: Date | null
  sessionVersion: number
  plan: PlanName
  planRenewsOn: string | null
  createdAt: Date
}

export interface AccountWithPassword extends Account {
  passwordHash: string
}

interface AccountRow {
  id: string
  email: string
  password_hash: string
  verified_at: Date | null
  session_version: number
  plan: PlanName
  plan_renews_on: string | null
  created_at: Date
}

const COLUMNS = 'id, email, password_hash, verified_at, session_version, plan, plan_renews_on, created_at'

/** One account per mailbox, however it is typed. */
export function canonicalEmail(email: string): string {
  return email.trim().toLowerCase()
}

export async function findAccountByEmail(db: Db, email: string): Promise<AccountWithPassword | null> {
  const [row] = await db.query<AccountRow>(`select ${COLUMNS} from account where email_canonical = $1`, [
    canonicalEmail(email),
  ])
  return row ? toAccount(row) : null
}

export async function findAccount(db: Db, id: string): Promise<AccountWithPassword | null> {
  const [row] = await db.query<AccountRow>(`select ${COLUMNS} from account where id = $1`, [id])
  return row ? toAccount(row) : null
}

function toAccount(row: AccountRow): AccountWithPassword {
  return {
    id: row.id,
    email: row.email,
    passwordHash: row.password_hash,
    verifiedAt: row.verified_at,
    sessionVersion: row.session_version,
    plan: row.plan,
    planRenewsOn: row.plan_renews_on,
    createdAt: row.created_at,
  }
}
