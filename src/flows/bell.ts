/** Waiting for any of many, again and again: a race would leave something on each that never ends. */
export interface Bell {
  ring(): void;
  rung(): Promise<void>;
}

export function bell(): Bell {
  let ring = () => {};
  let next: Promise<void> | null = null;
  return {
    ring() {
      next = null;
      ring();
    },
    rung() {
      next ??= new Promise((resolve) => {
        ring = resolve;
      });
      return next;
    },
  };
}
