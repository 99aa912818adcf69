/** Adam: each weight moves by its own recent gradients, so that rare traits learn as fast as frequent ones. */
const MEMORY = 0.9
const SCALE_MEMORY = 0.999
const TINY = 1e-8

export class Ascent {
  readonly weights: Float64Array
  /** Added to by the examples of a batch; a step uses it up. */
  readonly gradient: Float64Array
  readonly #ridge: number
  readonly #mean: Float64Array
  readonly #square: Float64Array
  #steps = 0

  constructor(size: number, ridge: number) {
    this.weights = new Float64Array(size)
    this.gradient = new Float64Array(size)
    this.#mean = new Float64Array(size)
    this.#square = new Float64Array(size)
    this.#ridge = ridge
  }

  /** `share` is how much of all examples the batch is, so that the ridge weighs the same whatever a batch's size. */
  step(share: number, rate: number): void {
    this.#steps += 1
    const meanBias = 1 - MEMORY ** this.#steps
    const squareBias = 1 - SCALE_MEMORY ** this.#steps
    for (let index = 0; index < this.weights.length; index++) {
      const weight = this.weights[index] ?? 0
      const slope = (this.gradient[index] ?? 0) - this.#ridge * share * weight
      const mean = MEMORY * (this.#mean[index] ?? 0) + (1 - MEMORY) * slope
      const square = SCALE_MEMORY * (this.#square[index] ?? 0) + (1 - SCALE_MEMORY) * slope * slope
      this.#mean[index] = mean
      this.#square[index] = square
      this.weights[index] = weight + (rate * (mean / meanBias)) / (Math.sqrt(square / squareBias) + TINY)
    }
    this.gradient.fill(0)
  }
}
