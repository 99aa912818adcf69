/** The cost of the model by day (UTC). All processes together never begin a call that could pass the day's budget. */
import type { App } from '../app.ts'
import type { SecondReaderConfig } from '../config.ts'
import type { Db } from '../lib/db/db.ts'
import { secondReaderSpent, secondReaderTokens } from '../lib/metrics.ts'

/** Millionths of the currency of the prices. */
type Micros = number

interface Call {
  day: string
  reserved: Micros
}

export interface Tokens {
  input: number
  output: number
}

/** Prices are for a million tokens, so a token costs so many millionths. */
export const costOf = ({ input, output }: Tokens, prices: SecondReaderConfig['prices']): Micros =>
  Math.ceil(input * prices.input + output * prices.output)

/** Reserves the most that the attempts at a call can cost. Null if the day's budget does not allow it. */
export async function reserveCall(
  app: Pick<App, 'db' | 'clock'>,
  { prices, budgetPerDay }: SecondReaderConfig,
  most: Tokens,
): Promise<Call | null> {
  const day = app.clock.now().toISOString().slice(0, 10)
  const reserved = costOf(most, prices)
  await app.db.query('insert into second_reader_day (day) values ($1) on conflict do nothing', [day])
  const rows = await app.db.query(
    `update second_reader_day set reserved = reserved + $2, calls = calls + 1
     where day = $1 and spent + reserved + $2 <= $3 returning day`,
    [day, reserved, Math.floor(budgetPerDay * 1_000_000)],
  )
  return rows.length > 0 ? { day, reserved } : null
}

/** Ends a call: what it cost is spent, and the rest of its reservation is free again. */
export async function settleCall(
  db: Db,
  call: Call,
  end: { tokens: Tokens; isFailed: boolean; prices: SecondReaderConfig['prices'] },
): Promise<void> {
  const { input, output } = end.tokens
  const spent = costOf(end.tokens, end.prices)
  secondReaderTokens.inc({ direction: 'input' }, input)
  secondReaderTokens.inc({ direction: 'output' }, output)
  secondReaderSpent.inc(spent / 1_000_000)
  await db.query(
    `update second_reader_day set reserved = reserved - $2, spent = spent + $3, input_tokens = input_tokens + $4,
       output_tokens = output_tokens + $5, failures = failures + $6
     where day = $1`,
    [call.day, call.reserved, spent, input, output, end.isFailed ? 1 : 0],
  )
}

/** Counts a question whose answer was known from before. */
export async function countRepeat(app: Pick<App, 'db' | 'clock'>): Promise<void> {
  await app.db.query(
    `insert into second_reader_day as today (day, repeats) values ($1, 1)
     on conflict (day) do update set repeats = today.repeats + 1`,
    [app.clock.now().toISOString().slice(0, 10)],
  )
}

export interface Usage {
  day: string
  calls: number
  failures: number
  repeats: number
  inputTokens: number
  outputTokens: number
  /** In the currency of the prices. */
  spent: number
}

/** Newest first. */
export async function readUsage(db: Db, days: number): Promise<Usage[]> {
  const rows = await db.query<Usage & { spent: string | number }>(
    `select day::text as day, calls, failures, repeats, input_tokens::float8 as "inputTokens",
       output_tokens::float8 as "outputTokens", spent::float8 / 1000000 as spent
     from second_reader_day order by day desc limit $1`,
    [days],
  )
  return rows
}
