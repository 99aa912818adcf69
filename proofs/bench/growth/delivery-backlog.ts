import { listDue } from '../../../src/webhooks/deliver/due.ts'
import { leaseDestination } from '../../../src/webhooks/deliver/lease.ts'
import { newSecret, sealSecret } from '../../../src/webhooks/destinations/secret.ts'
import { addAccounts, type Curve, fillTables, type GrowthWorld, type Range, scatter } from './curve.ts'

const PER_DESTINATION = 100
/** Each event goes to so many. */
const DESTINATIONS_PER_EVENT = 10
/** As many as a sender takes at once. */
const BATCH = 50
const SEALED_AT_ONCE = 10_000

export const DELIVERY_BACKLOG: Curve = {
  name: 'delivery',
  does: 'claim a destination and what is due there',
  rows: 'deliveries that wait',
  tables: ['webhook_delivery', 'webhook_event'],
  async grow(world, { from, to }) {
    const { app, client } = world
    const destinations = { from: from / PER_DESTINATION, to: to / PER_DESTINATION }
    await addAccounts(world, destinations)
    await addDestinations(world, destinations)
    await fillTables(world, DELIVERY_BACKLOG.tables, async () => {
      await client.query(
        `insert into webhook_event (id, event_id, signal_type, body, created_at) overriding system value
         select n, 'evt_' || lpad(n::text, 27, '0'), 'status_changed',
           '{"type":"signal","sequence":' || n || ',"data":{"summary":"' || repeat('It went into liquidation. ', 20) || '"}}',
           now() from generate_series($1::integer + 1, $2::integer) n`,
        [from / DESTINATIONS_PER_EVENT, to / DESTINATIONS_PER_EVENT],
      )
      await client.query(
        `insert into webhook_delivery (destination_id, event_number, state, due_at)
         select destination,
           (destination - 1) / ${DESTINATIONS_PER_EVENT} * ${PER_DESTINATION} + place, 'pending', now() - interval '1 minute'
         from generate_series($1::integer + 1, $2::integer) destination
         cross join generate_series(1, ${PER_DESTINATION}) place`,
        [destinations.from, destinations.to],
      )
    })
    return async (place) => {
      const destinationId = scatter(place, destinations.to) + 1
      const leased = await leaseDestination(app, { destinationId, jobId: 'growth' })
      const due = await listDue(app.db, { destinationId, except: [], limit: BATCH, at: app.clock.now() })
      if (!leased || due.length !== BATCH) throw new Error(`destination ${destinationId} was not claimed`)
    }
  },
}

/** Each has a secret of its own, which the product seals. */
async function addDestinations({ app, client }: GrowthWorld, { from, to }: Range): Promise<void> {
  for (let done = from; done < to; done += SEALED_AT_ONCE) {
    const ids = Array.from({ length: Math.min(SEALED_AT_ONCE, to - done) }, (_, place) => done + place + 1)
    await client.query(
      `insert into webhook_destination (id, account_id, webhook_url, signal_type, secret_sealed, created_at)
       overriding system value
       select id, 'acc_' || id, 'https://receiver.co.uk/' || id, 'all', sealed, now()
       from unnest($1::integer[], $2::text[]) as destination (id, sealed)`,
      [ids, ids.map((id) => sealSecret(app, id, newSecret()))],
    )
  }
}
