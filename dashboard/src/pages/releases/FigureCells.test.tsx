import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { Figures } from "@/api/figures";
import { CrashFreeCell, DevicesCell } from "./FigureCells";

afterEach(cleanup);

const limit = { rate: 2, source: "incidents" } as const;
const figures: Figures = {
  updateId: 7,
  updateUuid: "6b0c4b9e-5b1a-4c6f-9d59-1f8a3ce2d001",
  devices: 1204,
  percentage: 50.2,
  targetDevices: 12_345,
  reportedDevices: 1318,
  crashFreePercentage: 98.5,
  crashRate: 1.5,
  errorRate: 1.5,
  crashLimit: limit,
  errorLimit: limit,
  isPastLimit: false,
};

test("counts have all their digits, as on every other page", () => {
  expect(render(<DevicesCell figures={figures} />).container.textContent).toBe("1,20450.2% of 12,345");
  expect(render(<CrashFreeCell figures={figures} />).container.textContent).toBe("98.5%of 1,318");
});
