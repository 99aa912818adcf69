import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Circuit } from './circuit.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function openCircuit(answers: boolean[]) {
  const changes: boolean[] = []
  let probes = 0
  const probe = async () => {
    probes += 1
    return answers.shift() ?? true
  }
  const onChange = (isOpen: boolean) => void changes.push(isOpen)
  const circuit = new Circuit({ failuresMax: 3, firstPauseMs: 100, pauseMsMax: 300, probe, onChange })
  return { circuit, changes, probes: () => probes }
}

test('it opens after failures in a row, and a success between them starts the count again', () => {
  const { circuit, changes } = openCircuit([])
  circuit.fail()
  circuit.fail()
  circuit.succeed()
  circuit.fail()
  circuit.fail()
  expect(circuit.isOpen).toBe(false)
  circuit.fail()
  circuit.fail()
  expect(circuit.isOpen).toBe(true)
  expect(changes).toEqual([true])
})

test('it looks by itself, less often each time, and closes when it works again', async () => {
  const { circuit, changes, probes } = openCircuit([false, false, true])
  for (let count = 0; count < 3; count += 1) circuit.fail()
  await vi.advanceTimersByTimeAsync(100)
  expect(probes()).toBe(1)
  await vi.advanceTimersByTimeAsync(200)
  expect(probes()).toBe(2)
  expect(circuit.isOpen).toBe(true)
  await vi.advanceTimersByTimeAsync(300)
  expect(circuit.isOpen).toBe(false)
  expect(changes).toEqual([true, false])
})

test('it stops looking when it is closed down', async () => {
  const { circuit, probes } = openCircuit([false])
  for (let count = 0; count < 3; count += 1) circuit.fail()
  circuit.close()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(probes()).toBe(0)
})
