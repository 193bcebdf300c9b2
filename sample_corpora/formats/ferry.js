// Seats on a small ferry: booking, waiting, and the hour before departure.

const SEATS = 48;

/**
 * A crossing with its passengers. Bicycles take the room of two seats.
 */
class Crossing {
  constructor(departure, seats = SEATS) {
    this.departure = departure;
    this.seats = seats;
    this.passengers = [];
    this.waiting = [];
  }

  /** Room that is left, counted in seats. */
  get room() {
    return this.seats - this.passengers.reduce((sum, each) => sum + (each.bicycle ? 2 : 1), 0);
  }

  /** Books a passenger, or puts them on the waiting list. */
  book(name, { bicycle = false } = {}) {
    const passenger = { name, bicycle };
    const needed = bicycle ? 2 : 1;
    (needed <= this.room ? this.passengers : this.waiting).push(passenger);
    return this.passengers.includes(passenger);
  }

  /** In the last hour the seats of those who have not checked in go to the waiting list. */
  release(checkedIn) {
    this.passengers = this.passengers.filter((each) => checkedIn.has(each.name));
    while (this.waiting.length && this.room > 0) this.passengers.push(this.waiting.shift());
  }
}

export function fare(passenger, resident) {
  const base = passenger.bicycle ? 9.5 : 6;
  return resident ? base / 2 : base;
}

export default Crossing;
