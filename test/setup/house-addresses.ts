import { type SimulatedCompaniesHouse, STORAGE_HOST } from '../../rig/companies-house/index.ts'

/** Opens the simulated register and returns its addresses as the configuration has them. */
export async function listenAt(house: SimulatedCompaniesHouse) {
  const { restUrl, documentUrl, streamUrl, bulkUrl } = await house.listen()
  return {
    restUrl: new URL(restUrl),
    documentUrl: new URL(documentUrl),
    documentStorage: [STORAGE_HOST],
    streamUrl: new URL(streamUrl),
    bulkUrl: new URL(bulkUrl),
  }
}
