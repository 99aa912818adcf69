import { expect, test } from 'vitest'
import { Semaphore } from './semaphore.ts'

test('lets so many in, so many wait, and turns the rest away at once', async () => {
  const semaphore = new Semaphore({ slots: 2, queueMax: 1 })
  const first = await semaphore.enter()
  const second = await semaphore.enter()
  let waited = false
  const third = semaphore.enter().then((leave) => {
    waited = true
    return leave
  })
  expect(await semaphore.enter()).toBeNull()
  expect(waited).toBe(false)
  first?.()
  const leaveThird = await third
  expect(waited).toBe(true)
  second?.()
  leaveThird?.()
  expect(await semaphore.enter()).not.toBeNull()
  expect(await semaphore.enter()).not.toBeNull()
})
