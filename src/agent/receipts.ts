import type { ReceiptStore } from "../files/receipts.js";
import type { ReceiptService } from "../policy/services.js";

/** The store as policy uses it. Its thread gone, a receipt that cannot be removed stands in nobody's way: it is noted. */
export const receiptService = (store: ReceiptStore, note: (text: string) => void): ReceiptService => ({
  record: (receipt) => store.record(receipt),
  lookup: (turnIds) => store.lookup(turnIds),
  unconfirmed: () => store.unconfirmed(),
  async forget(threadId) {
    try {
      await store.forget(threadId);
    } catch (error) {
      note(`Receipts of ${threadId} were not removed: ${error instanceof Error ? error.message : String(error)}`);
    }
  },
});
