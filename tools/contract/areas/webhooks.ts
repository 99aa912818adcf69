import {
  ABSENT,
  equals,
  expectMember,
  expectRefusal,
  expectStatus,
  expectThat,
  INTEGER,
  readColumn,
  readNumber,
  readText,
} from '../expectations.ts'
import { type Area, row } from '../row.ts'

const PATH = '/v1/partner/webhooks'

export const WEBHOOKS: Area = {
  title: 'Webhook destinations',
  rows: [
    row('webhooks-get-200', `GET ${PATH} → 200 list of destinations`, async ({ destinations }) => {
      const { registered, listed } = await destinations()
      const ids = readColumn(expectStatus(listed, 200), 'data', 'id')
      expectThat(ids.includes(readNumber(registered, 'id')), 'the one that was just registered', ids)
      return `${ids.length} listed`
    }),
    row(
      'webhooks-post-201',
      `POST ${PATH} → 201 registered; response includes a signing secret`,
      async ({ destinations }) => {
        const { registered } = await destinations()
        expectMember(registered, 'id', INTEGER)
        return `${readText(registered, 'webhook_url')}, secret ${readText(registered, 'secret').slice(0, 6)}…`
      },
    ),
    row(
      'webhooks-post-https',
      `POST ${PATH}: webhook_url (string, URI, required; HTTPS destination)`,
      async (stage) => {
        const { refused } = await stage.destinations()
        expectRefusal(refused, 400)
        const ask = { token: await stage.accounts.session(), body: { signal_type: 'all' } }
        expectRefusal(await stage.call('POST', PATH, ask), 400, 'invalid_request')
        return 'the same address with http is refused, and so is none'
      },
    ),
    row('webhooks-post-type', `POST ${PATH}: signal_type (string, required)`, async (stage) => {
      const { registered } = await stage.destinations()
      expectMember(registered, 'signal_type', equals('charge_registered'))
      const ask = { token: await stage.accounts.session(), body: { webhook_url: readText(registered, 'webhook_url') } }
      expectRefusal(await stage.call('POST', PATH, ask), 400, 'invalid_request')
      return 'charge_registered; without one it is refused'
    }),
    row('webhooks-delete-200', `DELETE ${PATH}/{id} → 200 deleted`, async ({ destinations }) => {
      const { registered, deleted, listedAfter } = await destinations()
      expectStatus(deleted, 200)
      const ids = readColumn(listedAfter, 'data', 'id')
      expectThat(!ids.includes(readNumber(registered, 'id')), 'it is not listed any more', ids)
      return 'and it is not listed any more'
    }),
    row(
      'webhooks-secret-once',
      'The signing secret is returned when a destination is created and is shown at that time only',
      async ({ destinations }) => {
        const { registered, listed } = await destinations()
        for (const index of readColumn(listed, 'data', 'id').keys())
          expectMember(listed, `data.${index}.secret`, ABSENT)
        expectThat(!listed.text.includes(readText(registered, 'secret')), 'a list without secrets', listed.body)
        return 'it is in the 201, and not in the list'
      },
    ),
  ],
}
