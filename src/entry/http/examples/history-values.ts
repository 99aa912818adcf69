import { LIST_VALUES } from './list-values.ts'

/** Values for the names of the history and of share links, beside those of the whole API. */
const RESOLUTION = 'res_2Zr6Hq0bYw8xK3nTfVdLmPc1QsJ'
const EARLIER = 'res_7Yb1Kd4nQx9ZtLmVcRwPfHs2GjE'
const LINK = 'shl_4Tn8WqZx2LbVc6KmRpYsDhJgUfE'
const HASHES = {
  before: '0d4f1b7e92c3a5687f1e2d3c4b5a69788796a5b4c3d2e1f00112233445566778',
  after: '5352ec90753d2f1c8a4b6e0f7d9c1a2b3e4f5061728394a5b6c7d8e9f0a1b2c3',
}

export const HISTORY_VALUES: Readonly<Record<string, unknown>> = {
  ...LIST_VALUES,
  after_sha256: HASHES.after,
  answered_at: '2026-11-17T09:30:04.000Z',
  before_sha256: HASHES.before,
  change: 'changed',
  'ChangedValue.name': 'status',
  'ChangedValue.before': 'active',
  'ChangedValue.after': 'liquidation',
  'ComparedReadings.register': { name: 'status', before: 'active', after: 'liquidation' },
  'ComparedReadings.answer': { name: 'confidence', before: 0.97, after: 0.991 },
  'ComparedReadings.before': 'Company No. 08496536',
  'ComparedReadings.after': 'Registered in England and Wales No. 08496536',
  'ComparedReadings.site': {
    quotes: [
      {
        change: 'changed',
        url: 'https://harbourlantern.co.uk/',
        says: 'The site prints the number of the company.',
        before: 'Company No. 08496536',
        after: 'Registered in England and Wales No. 08496536',
      },
    ],
    pages: [
      {
        change: 'changed',
        url: 'https://harbourlantern.co.uk/',
        before_sha256: HASHES.before,
        after_sha256: HASHES.after,
      },
    ],
    unread: false,
  },
  days: 14,
  'listResolutions.company': 'harbour lantern',
  'listResolutions.cursor': 'WyIiLCIyMDI2LTExLTE3VDA5OjMwOjA0LjAwMFoiLCJyZXNfMlpyNkhxMGJZdzh4SzNuVGZWZExtUGMxUXNKIl0',
  'listResolutions.domain': 'harbour',
  'HistoryEntry.origin': 'console',
  'listResolutions.origin': 'bulk',
  'NewShareLink.id': LINK,
  'NewShareLink.url': 'https://nameplate.example/shared/q3Vd7yR1nKx0bZtLw8mPcHs2GjEfUaYiO5oQ9uT4eNk',
  open: true,
  origin: 'console',
  read_at: '2026-11-17T09:30:00.000Z',
  readings: [],
  refunded: false,
  resolution_url: `https://nameplate.example/console/resolutions/${RESOLUTION}`,
  revoked_at: null,
  'revokeShareLink.id': LINK,
  'ShareLink.id': LINK,
  'compareResolutions.id': RESOLUTION,
  'compareResolutions.since': EARLIER,
  'getResolution.id': RESOLUTION,
  'listShareLinks.id': RESOLUTION,
  'makeShareLink.id': RESOLUTION,
  since: EARLIER,
  unread: false,
}
