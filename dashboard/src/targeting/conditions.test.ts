import { describe, expect, it } from "vitest";
import { conditionDraft, conditionOf, conditionSentence, emptyCondition, isCompleteCondition, operators, valueOf, withOperator } from "./conditions";

describe("conditions", () => {
  it("keeps the types of values", () => {
    for (const values of [["a", "1"], [1, 2.5], [true], ["1", 1]]) {
      const condition = { attribute: "x", operator: "in" as const, values };
      expect(conditionOf(conditionDraft(condition))).toEqual(condition);
    }
  });

  it("sends no values for exists", () => {
    expect(conditionOf({ ...emptyCondition(), attribute: " age ", operator: "exists" })).toEqual({ attribute: "age", operator: "exists" });
  });

  it("takes only decimal numbers", () => {
    expect(valueOf("number", "18")).toBe(18);
    expect(valueOf("number", "-1.5e3")).toBe(-1500);
    for (const text of ["", "01", "+1", "0x10", "1,5", "abc"]) expect(valueOf("number", text)).toBeUndefined();
  });

  it("changes the type with the operator", () => {
    const draft = { attribute: "beta", operator: "eq" as const, type: "boolean" as const, values: ["true"] };
    expect(withOperator(draft, "neq").type).toBe("boolean");
    expect(withOperator(draft, "gt").type).toBe("number");
    expect(withOperator(draft, "semver_gte").type).toBe("text");
  });

  it("is complete with an attribute and values of the type", () => {
    expect(isCompleteCondition(emptyCondition())).toBe(false);
    expect(isCompleteCondition({ attribute: "age", operator: "gt", type: "number", values: ["18"] })).toBe(true);
    expect(isCompleteCondition({ attribute: "age", operator: "gt", type: "number", values: ["old"] })).toBe(false);
    expect(isCompleteCondition({ attribute: "age", operator: "not_exists", type: "text", values: [""] })).toBe(true);
  });

  it("has words for every operator", () => {
    expect(operators).toHaveLength(23);
    expect(conditionSentence({ attribute: "country", operator: "in", values: ["DE", 5] })).toBe("country is one of DE or 5");
    expect(conditionSentence({ attribute: "age", operator: "exists" })).toBe("age is set");
    expect(conditionSentence({ attribute: "version", operator: "semver_gte", values: ["2"] })).toBe("version is 2 or later");
    expect(conditionSentence({ attribute: "plan", operator: "eq", values: ["5", "very good", true] })).toBe("plan is “5” or “very good” or true");
  });
});
