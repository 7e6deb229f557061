import unittest

from shop.orders import missing, reserve
from shop.report import low_products
from shop.stock import Shelf, get_stock


class StockTest(unittest.TestCase):
    def setUp(self) -> None:
        self.shelf = Shelf({"tea": 12, "cup": 3})

    def test_reserved_units_are_not_free(self) -> None:
        self.assertTrue(reserve(self.shelf, {"tea": 4, "cup": 1}))
        self.assertEqual(get_stock(self.shelf, "tea"), 8)
        self.assertEqual(get_stock(self.shelf, "cup"), 2)

    def test_a_short_order_promises_nothing(self) -> None:
        self.assertEqual(missing(self.shelf, {"tea": 5, "cup": 9}), {"cup": 6})
        self.assertFalse(reserve(self.shelf, {"tea": 5, "cup": 9}))
        self.assertEqual(get_stock(self.shelf, "tea"), 12)

    def test_low_products_are_sorted_by_what_is_left(self) -> None:
        self.assertEqual(low_products(self.shelf), ["cup"])


if __name__ == "__main__":
    unittest.main()
